import { useEffect, useState } from 'react';
import type { OperationFieldsFragment } from '../../../graph/generated/graphql';
import { OperationLiveDocument } from '../../../graph/generated/graphql';
import type { Problem } from '../../../graph/problems';
import { useSocket } from '../../../graph/session';

export interface OperationView {
  /** Null until it has been told. */
  operation: OperationFieldsFragment | null;
  problems: Problem[];
  retry: () => void;
}

interface Told {
  id: string | undefined;
  operation: OperationFieldsFragment | null;
  problems: Problem[];
}

/** An operation, as the server tells of it until it has ended. */
export function useOperation(id: string | undefined): OperationView {
  const socket = useSocket();
  const [attempt, setAttempt] = useState(0);
  const [told, setTold] = useState<Told>({ id, operation: null, problems: [] });

  useEffect(() => {
    if (!id) return;
    return socket.subscribe(
      OperationLiveDocument,
      { id },
      {
        next: ({ operation }) => setTold({ id, operation, problems: [] }),
        refused: (problems) =>
          setTold((before) => ({ id, operation: before.id === id ? before.operation : null, problems })),
        // Each message is the whole of it: nothing is to be put together anew.
        restarted: () => {},
        ended: () => {},
      },
    );
  }, [socket, id, attempt]);

  const mine = told.id === id;
  return {
    operation: mine ? told.operation : null,
    problems: mine ? told.problems : [],
    retry: () => setAttempt((before) => before + 1),
  };
}
