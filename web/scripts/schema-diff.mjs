// Compares the contract in ../schema with the one that clients have, ../schema/baseline.graphql, and fails when
// something was changed that breaks them. `make schema-baseline` makes what is there now the baseline.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  DangerousChangeType,
  Kind,
  buildASTSchema,
  findBreakingChanges,
  findDangerousChanges,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  lexicographicSortSchema,
  parse,
  printSchema,
  visit,
} from 'graphql';

/** @typedef {import('graphql').GraphQLSchema} GraphQLSchema */

/**
 * The types that a client can come to, by the operations.
 * @param {GraphQLSchema} schema
 */
function reachable(schema) {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @param {import('graphql').GraphQLType} of */
  const reach = (of) => {
    const type = getNamedType(of);
    if (seen.has(type.name)) return;
    seen.add(type.name);
    if (isUnionType(type)) type.getTypes().forEach(reach);
    if (isInterfaceType(type)) schema.getPossibleTypes(type).forEach(reach);
    if (isObjectType(type) || isInterfaceType(type)) {
      type.getInterfaces().forEach(reach);
      for (const field of Object.values(type.getFields())) {
        reach(field.type);
        for (const arg of field.args) reach(arg.type);
      }
    }
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) reach(field.type);
  };
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    if (root) reach(root);
  }
  return seen;
}

/** @param {readonly import('graphql').ConstDirectiveNode[] | undefined} directives */
const deprecated = (directives) => directives?.some(({ name }) => name.value === 'deprecated') ?? false;

/**
 * The baseline without what was announced to go and is gone: deprecated fields, arguments, input fields and
 * values of enums, and the types that were reached through them alone.
 * @param {string} before
 * @param {GraphQLSchema} after
 */
function withoutWhatWasAnnounced(before, after) {
  /** @param {string} type @param {string} field */
  const fields = (type, field) => {
    const now = after.getType(type);
    if (!now || !('getFields' in now)) return undefined;
    return now.getFields()[field];
  };
  /** @type {string[]} */
  const within = [];
  const document = visit(parse(before), {
    enter(node) {
      if ('fields' in node || 'values' in node)
        within.push('name' in node && node.name ? node.name.value : '');
      const type = within.at(-1) ?? '';
      if (node.kind === Kind.FIELD_DEFINITION) {
        const now = fields(type, node.name.value);
        if (!now) return deprecated(node.directives) ? null : undefined;
        const args = node.arguments?.filter(
          (arg) =>
            !deprecated(arg.directives) ||
            ('args' in now && now.args.some(({ name }) => name === arg.name.value)),
        );
        return { ...node, arguments: args };
      }
      if (node.kind === Kind.INPUT_VALUE_DEFINITION && deprecated(node.directives)) {
        const now = after.getType(type);
        if (isInputObjectType(now) && !now.getFields()[node.name.value]) return null;
      }
      if (node.kind === Kind.ENUM_VALUE_DEFINITION && deprecated(node.directives)) {
        const now = after.getType(type);
        if (now && 'getValue' in now && !now.getValue(node.name.value)) return null;
      }
      return undefined;
    },
    leave(node) {
      if ('fields' in node || 'values' in node) within.pop();
    },
  });
  const pruned = buildASTSchema(document);
  const all = buildASTSchema(parse(before));
  const left = reachable(pruned);
  const gone = new Set([...reachable(all)].filter((name) => !left.has(name)));
  return buildASTSchema({
    ...document,
    definitions: document.definitions.filter(
      (node) => !('name' in node) || !node.name || !gone.has(node.name.value),
    ),
  });
}

/**
 * What of a change breaks clients, in words. A new value of an enum, type of a union or optional argument does
 * not: docs/architecture.md says so to clients. Another default value does: the same query means something else.
 * @param {string} before
 * @param {string} after
 */
export function breaking(before, after) {
  const now = buildASTSchema(parse(after));
  const was = withoutWhatWasAnnounced(before, now);
  const changes = [
    ...findBreakingChanges(was, now),
    ...findDangerousChanges(was, now).filter(
      ({ type }) => type === DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE,
    ),
  ];
  return changes.map(({ description }) => description).sort();
}

const folder = new URL('../../schema/', import.meta.url);
const baseline = new URL('baseline.graphql', folder);

function current() {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.graphqls'))
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
}

function main() {
  if (process.argv.includes('--write')) {
    const text = printSchema(lexicographicSortSchema(buildASTSchema(parse(current()))));
    // Descriptions are not part of what breaks.
    const bare = visit(parse(text), {
      enter: (node) =>
        'description' in node && node.description ? { ...node, description: undefined } : undefined,
    });
    writeFileSync(baseline, `${printSchema(buildASTSchema(bare))}\n`);
    return;
  }
  const found = breaking(readFileSync(baseline, 'utf8'), current());
  if (found.length === 0) return;
  console.error('schema/ breaks clients of schema/baseline.graphql:');
  for (const change of found) console.error(`  ${change}`);
  console.error(
    'Keep what is there and mark it @deprecated first; `make schema-baseline`, in a commit that says why, for what must break.',
  );
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
