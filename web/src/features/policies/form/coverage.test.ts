import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphQLInputType } from 'graphql';
import { buildASTSchema, getNamedType, isInputObjectType, parse } from 'graphql';
import { expect, it } from 'vitest';
import type { Shape } from './shape';
import { shapeOf } from './shape';

const SCHEMA = join(import.meta.dirname, '../../../../../schema');
const schema = buildASTSchema(
  parse(
    readdirSync(SCHEMA)
      .filter((name) => name.endsWith('.graphqls'))
      .map((name) => readFileSync(join(SCHEMA, name), 'utf8'))
      .join('\n'),
  ),
  { assumeValidSDL: true },
);

/** What the graph calls by another name than Kubernetes. */
const NAMES: Readonly<Record<string, string>> = {
  'replicaScheduling.type': 'replicaScheduling.replicaSchedulingType',
  'replicaScheduling.divisionPreference': 'replicaScheduling.replicaDivisionPreference',
  'suspension.dispatchingOnClusters': 'suspension.dispatchingOnClusters.clusterNames',
};

function fieldsOf(type: GraphQLInputType | undefined, path: string): string[] {
  const named = type && getNamedType(type);
  if (!isInputObjectType(named) || named.name === 'KeyValueInput') return [path];
  return Object.values(named.getFields()).flatMap(({ name, type }) =>
    fieldsOf(type, path ? `${path}.${name}` : name),
  );
}

function asKubernetes(path: string): string {
  const known = Object.entries(NAMES).find(([name]) => path === name || path.endsWith(`.${name}`));
  const renamed = known ? path.replace(known[0], known[1]) : path;
  return renamed.replace('staticWeights', 'staticWeightList');
}

function leavesOf(shape: Shape, path: string): string[] {
  if (shape.is === 'list') return leavesOf(shape.of, path);
  if (shape.is !== 'group') return [path];
  return Object.entries(shape.fields).flatMap(([name, field]) =>
    leavesOf(field, path ? `${path}.${name}` : name),
  );
}

it.each([
  ['PropagationPolicy', 'PropagationPolicyInput'],
  ['OverridePolicy', 'OverridePolicyInput'],
])('the form of a %s has every field of the graph, and no other', (kind, input) => {
  const { metadata, spec } = shapeOf(kind)?.fields ?? {};
  if (!metadata || !spec) throw new Error(kind);
  const type = schema.getType(input);
  const wanted = fieldsOf(isInputObjectType(type) ? type : undefined, '').map(asKubernetes);
  expect(wanted.length).toBeGreaterThan(20);
  expect([...leavesOf(metadata, ''), ...leavesOf(spec, '')].sort()).toEqual(wanted.sort());
});
