interface Place {
  clusterName: string;
  replicas: number | null;
}

/** `tokyo 2, osaka 1`; names alone for kinds without replicas. */
export function placesText(places: readonly Place[]): string {
  return places
    .map(({ clusterName, replicas }) => (replicas === null ? clusterName : `${clusterName} ${replicas}`))
    .join(', ');
}
