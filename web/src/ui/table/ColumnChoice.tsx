import { Button, Checkbox, Popover } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hideColumns, useHiddenColumns } from './choice';
import type { DataColumn } from './columns';

interface ColumnChoiceProps {
  /** The table's name. */
  name: string;
  columns: readonly Pick<DataColumn<never>, 'id' | 'header' | 'namesRow'>[];
}

/** Which columns of a table are shown. */
export function ColumnChoice({ name, columns }: ColumnChoiceProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      content={<Choice name={name} columns={columns} />}
    >
      <Button size="small" aria-haspopup="dialog" aria-expanded={open}>
        {t('table.columns')}
      </Button>
    </Popover>
  );
}

function Choice({ name, columns }: ColumnChoiceProps) {
  const { t } = useTranslation();
  const hidden = useHiddenColumns(name);
  return (
    <div className="column-choice" role="dialog" aria-label={t('table.columns')}>
      {columns.map(({ id, header, namesRow }) => (
        <Checkbox
          key={id}
          checked={!hidden.includes(id)}
          disabled={namesRow}
          onChange={({ target }) =>
            hideColumns(name, target.checked ? hidden.filter((other) => other !== id) : [...hidden, id])
          }
        >
          {header}
        </Checkbox>
      ))}
      <Button type="text" size="small" disabled={hidden.length === 0} onClick={() => hideColumns(name, [])}>
        {t('table.allColumns')}
      </Button>
    </div>
  );
}
