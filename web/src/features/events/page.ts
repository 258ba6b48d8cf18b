import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { EventsIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { validateEventsSearch } from './search';

export const eventsPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/events',
  validateSearch: validateEventsSearch,
  component: lazyRouteComponent(() => import('./EventsPage'), 'EventsPage'),
  staticData: {
    page: {
      title: 'events.title',
      navigation: { label: 'app.events', Icon: EventsIcon, key: 'e' },
      byInstance: true,
    },
  },
});
