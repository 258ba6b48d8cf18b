import { createContext, useContext } from 'react';
import type { WorkloadKind } from '../../../graph/generated/graphql';

/** What the sections of the form need to know. */
export interface Editing {
  kind: WorkloadKind;
  /** It is there already: what cannot be changed is not offered. */
  exists: boolean;
  /** To be called after the form was changed by other means than its inputs. */
  changed: () => void;
}

export const EditingContext = createContext<Editing>({
  kind: 'DEPLOYMENT',
  exists: false,
  changed: () => undefined,
});

export function useEditing(): Editing {
  return useContext(EditingContext);
}
