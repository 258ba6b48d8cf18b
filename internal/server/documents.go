package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/kairship-io/kairship/internal/model"
)

// Documents is GraphQL documents known in advance, by the SHA-256 of their text in hexadecimal. They cannot be changed.
// A nil Documents has none.
type Documents struct {
	known map[string]string
}

// maxDocumentsFile is the maximum size of a file of documents, in bytes.
const maxDocumentsFile = 16 << 20

// NewDocuments makes Documents from their texts. A text that does not parse is an error.
func NewDocuments(texts ...string) (*Documents, error) {
	d := &Documents{known: make(map[string]string, len(texts))}
	for _, text := range texts {
		if err := d.add(hashOf(text), text); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// ReadDocuments reads files of documents: manifests as client generators write them, a JSON object {"sha256:HASH":
// "DOCUMENT", …} (the prefix may be missing), and lists of other allowed documents, a JSON array ["DOCUMENT", …]. A
// hash that does not match its document, and a document that does not parse, are errors, which name the file and the
// document. first is read before the files; nil for nothing.
func ReadDocuments(first io.Reader, files ...string) (*Documents, error) {
	d := &Documents{known: map[string]string{}}
	if first != nil {
		if err := d.read(first); err != nil {
			return nil, fmt.Errorf("reading documents: %w", err)
		}
	}
	for _, file := range files {
		if err := d.readFile(file); err != nil {
			return nil, fmt.Errorf("reading documents of %s: %w", file, err)
		}
	}
	return d, nil
}

// Len is how many documents there are.
func (d *Documents) Len() int {
	if d == nil {
		return 0
	}
	return len(d.known)
}

func (d *Documents) readFile(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // opened for reading only
	return d.read(file)
}

func (d *Documents) read(file io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(file, maxDocumentsFile+1))
	if err != nil {
		return err
	}
	if len(raw) > maxDocumentsFile {
		return fmt.Errorf("it has more than %d bytes", maxDocumentsFile)
	}
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		var texts []string
		if err := json.Unmarshal(raw, &texts); err != nil {
			return fmt.Errorf("it is no list of documents: %w", err)
		}
		for _, text := range texts {
			if err := d.add(hashOf(text), text); err != nil {
				return err
			}
		}
		return nil
	}
	var manifest map[string]string
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return fmt.Errorf("it is neither an object of documents by hash nor a list of documents: %w", err)
	}
	for hash, text := range manifest {
		if err := d.add(hash, text); err != nil {
			return err
		}
	}
	return nil
}

func (d *Documents) add(hash, text string) error {
	given := hash
	if hash = plainHash(hash); hash != hashOf(text) {
		return fmt.Errorf("document %s has another SHA-256: %s", clip(given, 80), hashOf(text))
	}
	if _, err := parser.ParseQuery(&ast.Source{Input: text}); err != nil {
		return fmt.Errorf("document %s does not parse: %w", hash, err)
	}
	d.known[hash] = text
	return nil
}

func (d *Documents) text(hash string) (string, bool) {
	if d == nil {
		return "", false
	}
	text, ok := d.known[hash]
	return text, ok
}

// prepareKnown parses and validates the documents known in advance, so that the first who asks by one of them does not wait
// for that. One that the limits or the schema do not allow is left out, with a warning: whoever asks by it is told why.
// Large ones, and more than are remembered of others, wait until they are asked for.
func (d *Server) prepareKnown() map[string]*ast.QueryDocument {
	if d.cfg.Documents == nil {
		return nil
	}
	schema := d.cfg.Schema.Schema()
	out := make(map[string]*ast.QueryDocument, d.cfg.Documents.Len())
	for hash, text := range d.cfg.Documents.known {
		if len(text) > maxCachedDocument || len(out) >= cachedDocuments {
			continue
		}
		var wrong error
		if refusal := d.limits.check(text); refusal != nil {
			wrong = refusal
		} else if doc, errs := gqlparser.LoadQueryWithRules(schema, text, nil); len(errs) > 0 {
			wrong = errs
		} else if len(doc.Operations) > 0 {
			out[text] = doc
		}
		if wrong != nil {
			d.cfg.Logger.Warn("A document known in advance cannot run", "sha256", hash, "error", wrong)
		}
	}
	return out
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func plainHash(s string) string { return strings.ToLower(strings.TrimPrefix(s, "sha256:")) }

// persistedQuery is the extension with which requests name a document; the field documentId is converted to it.
const persistedQuery = "persistedQuery"

// nameDocument stores a request's documentId where namedDocument finds it.
func nameDocument(params *graphql.RawParams, id string) {
	if params.Extensions == nil {
		params.Extensions = map[string]any{}
	}
	params.Extensions[persistedQuery] = map[string]any{"version": 1, "sha256Hash": id}
}

// namedDocument is the hash of the document that a request names; false when it names none.
func namedDocument(params *graphql.RawParams) (string, bool) {
	named, ok := params.Extensions[persistedQuery].(map[string]any)
	if !ok {
		return "", false
	}
	hash, ok := named["sha256Hash"].(string)
	return plainHash(hash), ok
}

// codeNotPersisted is the code that clients of persisted documents know: they then send the document itself.
const codeNotPersisted model.Code = "PERSISTED_QUERY_NOT_FOUND"

// document sets the text of a request that only names its document, and refuses one that may not run.
func (d *Server) document(params *graphql.RawParams) *gqlerror.Error {
	hash, named := namedDocument(params)
	switch {
	case named && params.Query == "":
		text, ok := d.cfg.Documents.text(hash)
		if !ok && d.cfg.TrustedDocuments {
			return untrusted()
		}
		if !ok {
			e := clientError(codeNotPersisted, "PersistedQueryNotFound")
			e.Extensions["hint"] = "no document is known by this hash; send the document itself"
			return e
		}
		params.Query = text
	case named && hash != hashOf(params.Query):
		return brokenRule("documentHash", "the hash is not that of the document, which is SHA-256 in hexadecimal")
	case d.cfg.TrustedDocuments:
		if _, ok := d.cfg.Documents.text(hashOf(params.Query)); !ok {
			return untrusted()
		}
	}
	return nil
}

func untrusted() *gqlerror.Error {
	e := brokenRule("trustedDocuments", "only documents that were registered with this server may run")
	e.Extensions["code"] = string(model.CodeForbidden)
	return e
}
