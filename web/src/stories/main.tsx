// The kit's components in each of their states, for people and for tests: `npm run stories`. It is no
// part of what the server serves.

import { StrictMode, useEffect, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { ThemeProvider, useTheme } from '../app/theme';
import { startLanguage } from '../i18n';
import '../styles/index.css';
import { STORIES } from '.';
import { Stage } from './Stage';
import type { Story } from './story';
import { slugOf } from './story';
import './stories.css';

const PLAY_MS = 200;

function Stories() {
  const slug = useSyncExternalStore(
    (listener) => {
      window.addEventListener('hashchange', listener);
      return () => window.removeEventListener('hashchange', listener);
    },
    () => location.hash.slice(1),
  );
  const story = STORIES.find((story) => slugOf(story) === slug);
  return story ? <Shown key={slug} story={story} /> : <Contents />;
}

function Contents() {
  const theme = useTheme();
  return (
    <nav className="stories" aria-label="Stories">
      <h1>The kit</h1>
      <button type="button" onClick={() => theme.choose(theme.dark ? 'light' : 'dark')}>
        {theme.dark ? 'Light' : 'Dark'}
      </button>
      <ul>
        {STORIES.map((story) => (
          <li key={slugOf(story)}>
            <a href={`#${slugOf(story)}`}>
              {story.of}: {story.state}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Shown({ story }: { story: Story }) {
  const [played, setPlayed] = useState(false);
  useEffect(() => {
    // Fields register themselves first, and what was done takes a moment to show.
    const timers = [
      setTimeout(() => story.play?.(document), PLAY_MS),
      setTimeout(() => setPlayed(true), 3 * PLAY_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, [story]);
  return (
    <main id="content" className="story" data-played={played ? slugOf(story) : undefined}>
      <h1 className="sr-only">
        {story.of}: {story.state}
      </h1>
      <Stage story={story} />
    </main>
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');

await startLanguage();
createRoot(root).render(
  <StrictMode>
    <ThemeProvider>
      <Stories />
    </ThemeProvider>
  </StrictMode>,
);
