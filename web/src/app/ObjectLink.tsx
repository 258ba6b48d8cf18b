import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ObjectName } from './objects';
import { placeOf } from './objects';
import { linkOf } from './places';

interface ObjectLinkProps {
  /** The instance whose control plane holds it; without one there is no page of it. */
  instance: string | null | undefined;
  object: ObjectName;
  className?: string;
  /** Its name when left out. */
  children?: ReactNode;
}

/** Leads to the page of an object of a control plane: a workload, a policy, or any other. */
export function ObjectLink({
  instance,
  object,
  className = 'name',
  children = object.name,
}: ObjectLinkProps) {
  if (!instance || !placeOf(object)) return <span className={className}>{children}</span>;
  return (
    <Link {...linkOf({ type: 'object', instance, object })} className={className}>
      {children}
    </Link>
  );
}
