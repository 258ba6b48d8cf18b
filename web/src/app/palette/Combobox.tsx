import type { KeyboardEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ToneIcon } from '../../ui/tone';
import { toneOfState } from '../../ui/tones';
import type { Choice } from './choices';
import { GROUPS } from './choices';

interface ComboboxProps {
  typed: string;
  choices: readonly Choice[];
  change: (typed: string) => void;
  choose: (choice: Choice) => void;
  close: () => void;
}

/** A field, and below it what it finds: arrow keys move the choice, the focus stays in the field. */
export function Combobox({ typed, choices, change, choose, close }: ComboboxProps) {
  const { t } = useTranslation();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [picked, setPicked] = useState<string>();
  const at = Math.max(
    0,
    choices.findIndex(({ key }) => key === picked),
  );
  const active = choices[at];
  const idOf = (choice: Choice) => `${list}-${choices.indexOf(choice)}`;

  // The dialog opens first, and focuses what it finds.
  useEffect(() => input.current?.focus(), []);

  const pick = (index: number) => {
    const choice = choices[(index + choices.length) % choices.length];
    if (!choice) return;
    setPicked(choice.key);
    document.getElementById(idOf(choice))?.scrollIntoView({ block: 'nearest' });
  };

  const press = (event: KeyboardEvent) => {
    // What is being composed (中文) is not chosen yet.
    if (event.nativeEvent.isComposing) return;
    const step = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: Math.min(at + 8, choices.length - 1),
      PageUp: Math.max(at - 8, 0),
    }[event.key];
    if (step !== undefined) pick(step);
    else if (event.key === 'Enter' && active) choose(active);
    else if (event.key === 'Escape' && typed !== '') change('');
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <input
        ref={input}
        className="palette-input"
        type="text"
        role="combobox"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-label={t('palette.title')}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded={choices.length > 0}
        aria-controls={choices.length > 0 ? list : undefined}
        aria-activedescendant={active && idOf(active)}
        placeholder={t('palette.placeholder')}
        value={typed}
        onChange={(event) => {
          setPicked(undefined);
          change(event.target.value);
        }}
        onKeyDown={press}
      />
      {choices.length > 0 && (
        <div id={list} className="palette-list" role="listbox" aria-label={t('palette.choices')}>
          {GROUPS.map((group) => {
            const inGroup = choices.filter((choice) => choice.group === group);
            if (inGroup.length === 0) return null;
            return (
              <div key={group} role="group" aria-labelledby={`${list}-${group}`}>
                <div id={`${list}-${group}`} className="palette-group" role="presentation">
                  {t(`palette.group.${group}`)}
                </div>
                {inGroup.map((choice) => (
                  <Option
                    key={choice.key}
                    id={idOf(choice)}
                    choice={choice}
                    active={choice === active}
                    point={() => setPicked(choice.key)}
                    choose={() => choose(choice)}
                  />
                ))}
              </div>
            );
          })}
        </div>
      )}
    </>
  );
}

interface OptionProps {
  id: string;
  choice: Choice;
  active: boolean;
  point: () => void;
  choose: () => void;
}

function Option({ id, choice, active, point, choose }: OptionProps) {
  const { t } = useTranslation();
  const { key, label, kind, detail, state } = choice;
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      className={active ? 'palette-option is-active' : 'palette-option'}
      data-choice={key}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={point}
      onClick={choose}
    >
      {state && (
        <span className={`tone-${toneOfState(state)}`} title={t(`state.${state}`)}>
          <ToneIcon tone={toneOfState(state)} />
        </span>
      )}
      <span className="palette-label cut" title={label}>
        {label}
      </span>
      {kind && <span className="kind">{kind}</span>}
      {detail && (
        <span className="palette-detail muted cut" title={detail}>
          {detail}
        </span>
      )}
    </div>
  );
}
