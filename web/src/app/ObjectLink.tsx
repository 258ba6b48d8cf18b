import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ObjectName } from './objects';
import { placeOf } from './objects';

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
  const place = instance ? placeOf(object) : null;
  if (!instance || !place) return <span className={className}>{children}</span>;
  const { namespace, name } = place;
  switch (place.page) {
    case 'workload':
      return (
        <Link
          to="/workloads/$instance/$namespace/$kind/$name"
          params={{ instance, namespace, kind: place.kind, name }}
          className={className}
        >
          {children}
        </Link>
      );
    case 'policy':
      return (
        <Link
          to="/policies/$instance/$namespace/$kind/$name"
          params={{ instance, namespace, kind: place.kind, name }}
          className={className}
        >
          {children}
        </Link>
      );
    case 'resource':
      return (
        <Link
          to="/resources/$instance/$type/$namespace/$name"
          params={{ instance, type: place.type, namespace, name }}
          className={className}
        >
          {children}
        </Link>
      );
  }
}
