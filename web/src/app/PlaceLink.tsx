import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Place } from './places';
import { linkOf } from './places';

interface PlaceLinkProps {
  place: Place;
  title?: string;
  children: ReactNode;
}

/** A name that leads to the thing. */
export function PlaceLink({ place, title, children }: PlaceLinkProps) {
  return (
    <Link {...linkOf(place)} preload={false} className="name" title={title}>
      {children}
    </Link>
  );
}
