import type { CombinedError } from '@urql/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemsOf } from './problems';

interface UserError {
  field?: readonly string[] | null;
  message: string;
}

/** Why a mutation did nothing, in words; `heed` takes its answer and tells whether there is a reason. */
export function useRefusals() {
  const { t } = useTranslation();
  const [refusals, setRefusals] = useState<string[]>([]);
  return {
    refusals,
    forget: () => setRefusals([]),
    heed: (userErrors: readonly UserError[] | undefined, error: CombinedError | undefined): boolean => {
      const said = [
        ...(userErrors ?? []).map(({ field, message }) =>
          field?.length ? `${field.join('.')}: ${message}` : message,
        ),
        ...problemsOf(error).map(({ code, message }) => message || t(`problem.${code}`)),
      ];
      setRefusals(said);
      return said.length > 0;
    },
  };
}
