// A plugin of the code generator: what the cache has to know of the contract. See codegen.ts.
const { isInterfaceType, isObjectType } = require('graphql');

/** Payloads and changes are read once and never found again. */
const passing = /Payload$|Change$|Outcome$/;

module.exports = {
  plugin(schema) {
    const types = Object.values(schema.getTypeMap())
      .filter(({ name }) => !name.startsWith('__'))
      .sort((a, b) => a.name.localeCompare(b.name));
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const possibleTypes = Object.fromEntries(
      types.filter(isInterfaceType).map((type) => [
        type.name,
        schema
          .getPossibleTypes(type)
          .map(({ name }) => name)
          .sort(),
      ]),
    );
    const values = types
      .filter(isObjectType)
      .filter((type) => !type.getFields().id && !roots.includes(type) && !passing.test(type.name))
      .map(({ name }) => name);
    return [
      '/** Which types implement which interface: the cache matches fragments with it. */',
      `export const possibleTypes: Record<string, string[]> = ${JSON.stringify(possibleTypes, null, 2)};`,
      '/** The types without an id: values, which the cache keeps inside what has them. */',
      `export const values: string[] = ${JSON.stringify(values, null, 2)};`,
      '',
    ].join('\n\n');
  },
};
