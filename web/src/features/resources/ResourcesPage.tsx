import { useSearch } from '@tanstack/react-router';
import { ResourceKinds } from './ResourceKinds';
import { ResourceList } from './ResourceList';
import { typeIn } from './search';

/** Objects of any kind: the kinds there are, then the objects of one. */
export function ResourcesPage() {
  const search = useSearch({ from: '/signed-in/resources' });
  const type = typeIn(search);
  // What was chosen of one kind is not chosen of the next.
  return type ? (
    <ResourceList key={search.type} search={search} type={type} />
  ) : (
    <ResourceKinds search={search} />
  );
}
