import type { CodegenConfig } from '@graphql-codegen/cli';

// The contract is ../schema; what the UI asks of it is in src/**/*.graphql. Both give src/gql, which
// is committed, so that a build needs no generator and a changed contract shows up in review.
const config: CodegenConfig = {
  schema: '../schema/*.graphqls',
  documents: ['src/**/*.graphql', '!src/graphiql/**'],
  generates: {
    'src/gql/contract.ts': { plugins: ['./codegen-facts.cjs'] },
    'src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        strictScalars: true,
        skipTypename: true,
        scalars: { Time: 'string' },
      },
    },
  },
};

export default config;
