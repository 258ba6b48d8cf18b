import { Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface LabelsFilterProps {
  labels?: string;
  change: (labels: string | undefined) => void;
}

/** A selector of labels, sent as it was typed when Enter is pressed or the field is left. */
export function LabelsFilter({ labels, change }: LabelsFilterProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(labels ?? '');
  const [shown, setShown] = useState(labels);
  if (shown !== labels) {
    setShown(labels);
    setTyped(labels ?? '');
  }
  const settle = (text: string) => (text || undefined) !== labels && change(text || undefined);
  return (
    <Input
      className="filter-labels"
      allowClear
      aria-label={t('resources.labels')}
      placeholder={t('resources.labelsExample')}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        if (event.target.value === '') settle('');
      }}
      onPressEnter={() => settle(typed)}
      onBlur={() => settle(typed)}
    />
  );
}
