import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router';
import { ThemeProvider } from './app/theme';
import { startLanguage } from './i18n';
import './styles/index.css';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');

await startLanguage();
createRoot(root).render(
  <StrictMode>
    <ThemeProvider>
      <RouterProvider router={router} />
    </ThemeProvider>
  </StrictMode>,
);
