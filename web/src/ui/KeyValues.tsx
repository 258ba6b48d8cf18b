interface KeyValuesProps {
  title: string;
  pairs: readonly { key: string; value: string }[];
}

/** So many are shown at once; more are folded. */
const FEW = 6;

/** Labels or annotations of an object; nothing where there are none. */
export function KeyValues({ title, pairs }: KeyValuesProps) {
  if (pairs.length === 0) return null;
  return (
    <section>
      <details open={pairs.length <= FEW}>
        <summary>
          <h2>
            {title} <span className="muted">{pairs.length}</span>
          </h2>
        </summary>
        <ul className="key-values">
          {pairs.map(({ key, value }) => (
            <li key={key} className="mono wrap">
              <span className="muted">{key}</span>
              {value && <>: {value}</>}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
