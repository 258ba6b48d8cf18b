import type { TypedDocumentNode } from '@urql/core';
import { gql } from '@urql/core';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { ActionDialog } from '../ui/action/ActionDialog';
import { Outcomes } from '../app/bulk/BulkDialog';
import type { BulkOutcomes } from '../app/bulk/bulk';
import type { Refusal } from '../ui/action/refusals';
import type { Toast } from '../ui/action/toast';
import { useToast } from '../ui/action/toast';
import { MenuButton } from '../ui/MenuButton';
import { SelectField, SuggestField, TextField } from '../ui/form/Field';
import { isNamespace, replicasOf } from '../ui/typed';
import type { Story } from './story';

interface Answer {
  userErrors: Refusal[];
}

interface Input {
  replicas: number;
  answer?: Answer;
}

const ACT: TypedDocumentNode<{ act: Answer }, { input: Input }> = gql`
  mutation Act($input: ActInput!) {
    act(input: $input) {
      userErrors {
        message
        field
      }
    }
  }
`;

interface DialogProps {
  typed?: string;
  /** What the server answers; nothing where it never does. */
  answer?: Answer;
  result?: () => ReactNode;
  lead?: string;
}

function PlantDialog({ typed = '3', answer, result, lead }: DialogProps) {
  return (
    <ActionDialog
      open
      close={() => {}}
      title="Plant trees"
      name="plant"
      action={{ document: ACT, payload: ({ act }) => act, failed: 'No tree was planted.' }}
      initial={{ replicas: typed, place: 'tokyo', namespace: 'shop' }}
      input={({ replicas }) => ({ replicas: Number(replicas), answer })}
      submit="Plant"
      lead={lead}
      result={result}
    >
      <TextField
        name="replicas"
        label="Trees"
        numeric
        hint="How many in all."
        check={(typed) => (replicasOf(typed) === null ? `“${typed}” is no number of trees.` : null)}
      />
      <SelectField name="place" label="Place" options={[{ value: 'tokyo', label: 'Tokyo' }]} />
      <SuggestField
        name="namespace"
        label="Namespace"
        suggestions={['shop', 'payments']}
        check={(typed) => (isNamespace(typed) ? null : 'That is no namespace.')}
      />
    </ActionDialog>
  );
}

const submit: Story['play'] = (page) => page.querySelector('form')?.requestSubmit();

const REFUSED: Answer = {
  userErrors: [
    { message: 'at most 2 trees fit here', field: ['input', 'replicas'] },
    { message: 'somebody else plants there', field: null },
  ],
};

const dialog = (state: string, props: DialogProps, play?: Story['play']): Story => ({
  of: 'ActionDialog',
  state,
  play,
  render: () => <PlantDialog {...props} />,
});

function Toasting({ toast }: { toast: Toast }) {
  const show = useToast();
  useEffect(() => show(toast), [show, toast]);
  return <p>The toast is in the corner.</p>;
}

const toast = (state: string, toast: Toast): Story => ({
  of: 'Toast',
  state,
  render: () => <Toasting toast={toast} />,
});

const MENU = [
  { id: 'water', label: 'Water …', run: () => {} },
  {
    id: 'move',
    label: 'Move …',
    disabled: true,
    note: 'It takes the right to change trees in forest.',
    run: () => {},
  },
  { id: 'fell', label: 'Fell …', danger: true, run: () => {} },
];

function menu(state: string, play?: Story['play']): Story {
  return {
    of: 'MenuButton',
    state,
    render: () => (
      <div className="page-head">
        <span className="page-gap" />
        <MenuButton label="Actions" name="Actions on tree" items={MENU} />
      </div>
    ),
    play,
  };
}

const TREES = ['oak', 'lime', 'a-tree-with-a-very-long-name-'.repeat(6)].map((name) => ({
  id: name,
  kind: 'Tree',
  namespace: 'forest',
  name,
  instance: { name: 'asia' },
}));

const GROWN: BulkOutcomes = new Map([
  ['oak', { state: 'done' }],
  ['lime', { state: 'refused', why: 'It is protected from deletion; take the protection back first.' }],
]);

export const ACTION_STORIES: Story[] = [
  dialog('open', {}),
  dialog('long content', { lead: 'Trees grow slowly. '.repeat(30) }),
  dialog('wrong input', { typed: '2.7' }, submit),
  dialog('refused', { answer: REFUSED }, submit),
  dialog('under way', {}, submit),
  dialog('done', { answer: { userErrors: [] }, result: () => <p>Three trees stand.</p> }, submit),
  toast('done', {
    title: 'Karmada accepted 3 replicas.',
    button: { label: 'Undo', press: () => {} },
  }),
  toast('failed', { failed: true, title: 'It was not scaled.', reasons: ['replicas: at most 2'] }),
  {
    of: 'BulkOutcomes',
    state: 'under way',
    render: () => <Outcomes rows={TREES} outcomes={GROWN} done="Felled" close={() => {}} />,
  },
  menu('folded'),
  menu('unfolded', (page) => page.querySelector<HTMLElement>('.menu-place button')?.click()),
];
