import js from '@eslint/js';
import graphql from '@graphql-eslint/eslint-plugin';
import hooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';

const FEATURES = readdirSync(new URL('src/features', import.meta.url));
/** Who is signed in, and a dialog that any page about an instance may offer. */
const SHARED = ['session', 'kubeconfig'];

/** Modules that may wait, and for what. None of them asks the server: what is on a page is told, or read when somebody wants it. */
const WAITING = [
  'src/ui/age.ts', // ages grow
  'src/ui/NameFilter.tsx', // typing pauses
  'src/features/graphiql/examples-plugin.tsx', // the editor is there a moment later
  'src/features/workloads/detail/Manifest.tsx', // "Copied" is said for a moment
  'src/features/workloads/list/ChipCard.tsx', // a card shows when the pointer rests
  'src/graph/live/feed.ts', // changes are gathered
  'src/graph/live/useFeeds.ts', // a refused stream is begun again
  'src/graph/socket.ts', // a lost socket is opened again
  'src/stories/**',
  'src/**/*.test.{ts,tsx}',
];

const POLLING =
  'Pages do not poll: follow what changes by a subscription (graph/live), or let people refresh.';
/** Whatever could ask again and again. */
const polling = [
  ...['setInterval', 'setTimeout', 'requestIdleCallback'].flatMap((name) => [
    { selector: `CallExpression[callee.name='${name}']`, message: POLLING },
    { selector: `MemberExpression[property.name='${name}']`, message: POLLING },
  ]),
  { selector: "Property[key.name='pollInterval']", message: POLLING },
];

/** What two features need is the app's or the kit's. */
function apart(feature) {
  const others = FEATURES.filter((other) => other !== feature && !SHARED.includes(other));
  return {
    files: [`src/features/${feature}/**/*.{ts,tsx}`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(\\.\\./)+(features/)?(${others.join('|')})/`,
              message: 'A feature does not know another one: what both need belongs into src/app or src/ui.',
            },
          ],
        },
      ],
    },
  };
}

export default tseslint.config(
  { ignores: ['dist', 'src/graph/generated', 'test-results', 'playwright-report'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [js.configs.recommended, ...tseslint.configs.strictTypeChecked],
    plugins: { 'react-hooks': hooks },
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...hooks.configs.recommended.rules,
      // Numbers in a template read as they are meant.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
    },
  },
  {
    // The kit and the client serve the features, and know none but who is signed in.
    files: ['src/ui/**/*.{ts,tsx}', 'src/graph/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['**/features/**', '!**/features/session', '!**/features/session/*'] }] },
      ],
    },
  },
  ...FEATURES.map(apart),
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: WAITING,
    rules: { 'no-restricted-syntax': ['error', ...polling] },
  },
  {
    // A fixture's `use` is the runner's, not React's.
    files: ['e2e/**/*.ts'],
    rules: { 'react-hooks/rules-of-hooks': 'off' },
  },
  {
    files: ['**/*.{js,mjs}'],
    extends: [js.configs.recommended],
    languageOptions: { globals: globals.node },
  },
  {
    files: ['src/**/*.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: {
        graphQLConfig: {
          schema: '../schema/*.graphqls',
          documents: ['src/**/*.graphql', '!src/features/graphiql/**'],
        },
      },
    },
    plugins: { '@graphql-eslint': { rules: graphql.rules } },
    rules: {
      '@graphql-eslint/fields-on-correct-type': 'error',
      '@graphql-eslint/fragments-on-composite-type': 'error',
      '@graphql-eslint/known-argument-names': 'error',
      '@graphql-eslint/known-type-names': 'error',
      '@graphql-eslint/no-anonymous-operations': 'error',
      '@graphql-eslint/no-deprecated': 'error',
      '@graphql-eslint/no-duplicate-fields': 'error',
      '@graphql-eslint/no-undefined-variables': 'error',
      '@graphql-eslint/no-unused-variables': 'error',
      '@graphql-eslint/provided-required-arguments': 'error',
      '@graphql-eslint/scalar-leafs': 'error',
      '@graphql-eslint/value-literals-of-correct-type': 'error',
      '@graphql-eslint/variables-are-input-types': 'error',
      '@graphql-eslint/variables-in-allowed-position': 'error',
    },
  },
);
