import { Select } from 'antd';

interface WordsFilterProps {
  label: string;
  placeholder: string;
  chosen?: string[];
  /** What is offered; others can be written too. */
  seen: readonly (string | null | undefined)[];
  change: (words: string[] | undefined) => void;
}

/** Words that a list is narrowed to: those that its rows have, or any other. */
export function WordsFilter({ label, placeholder, chosen, seen, change }: WordsFilterProps) {
  const known = [...new Set([...seen, ...(chosen ?? [])])]
    .filter((word) => word != null && word !== '')
    .sort();
  return (
    <Select
      className="filter-words"
      mode="tags"
      allowClear
      maxTagCount="responsive"
      popupMatchSelectWidth={false}
      tokenSeparators={[',', ' ']}
      aria-label={label}
      placeholder={placeholder}
      value={chosen ?? []}
      options={known.map((value) => ({ value, label: value }))}
      onChange={(words) => change(words.length > 0 ? words : undefined)}
    />
  );
}

interface ChoiceFilterProps<Value extends string> {
  label: string;
  placeholder: string;
  chosen?: Value[];
  options: readonly { value: Value; label: string }[];
  change: (values: Value[] | undefined) => void;
}

/** Some of a few values that are all known. */
export function ChoiceFilter<Value extends string>({
  label,
  placeholder,
  chosen,
  options,
  change,
}: ChoiceFilterProps<Value>) {
  return (
    <Select<Value[]>
      className="filter-words"
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      popupMatchSelectWidth={false}
      aria-label={label}
      placeholder={placeholder}
      value={chosen ?? []}
      options={[...options]}
      onChange={(values) => change(values.length > 0 ? values : undefined)}
    />
  );
}
