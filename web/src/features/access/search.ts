import type { PageSize } from '../../app/search';
import { many, one, pageSizeOf } from '../../app/search';
import type { AccessBindingFilter, AccessSource, SubjectKind } from '../../graph/generated/graphql';

export const SOURCES: readonly AccessSource[] = ['KAIRSHIP', 'GLOBAL_MANAGEMENT', 'MANIFEST'];
export const SUBJECT_KINDS: readonly SubjectKind[] = ['USER', 'GROUP'];

/** The whole state of the page, as its address says it. */
export interface AccessSearch {
  instance?: string;
  /** By person instead of by binding; of one instance only. */
  by?: 'person';
  subject?: SubjectKind[];
  name?: string;
  role?: string[];
  source?: AccessSource[];
  after?: string;
  size?: PageSize;
}

export function validateAccessSearch(raw: Record<string, unknown>): AccessSearch {
  const instance = one(raw.instance);
  return {
    instance,
    by: instance !== undefined && raw.by === 'person' ? 'person' : undefined,
    subject: among(SUBJECT_KINDS, raw.subject),
    name: one(raw.name),
    role: many(raw.role),
    source: among(SOURCES, raw.source),
    after: one(raw.after),
    size: pageSizeOf(raw.size),
  };
}

function among<Word extends string>(known: readonly Word[], raw: unknown): Word[] | undefined {
  const words = many(raw)?.map((word) => word.toUpperCase());
  const found = known.filter((word) => words?.includes(word));
  return found.length > 0 ? found : undefined;
}

export function filterOf(search: AccessSearch): AccessBindingFilter | null {
  const { instance, subject, name, role, source } = search;
  if (instance === undefined && !isNarrowed(search)) return null;
  return {
    instances: instance === undefined ? undefined : [instance],
    subjectKinds: subject,
    subjectContains: name,
    roles: role,
    sources: source,
  };
}

export function isNarrowed({ subject, name, role, source }: AccessSearch): boolean {
  return (subject ?? name ?? role ?? source) !== undefined;
}
