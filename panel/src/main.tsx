import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import './shell/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { restore } from './api/session.ts';
import { loadMessages } from './messages/use-messages.ts';
import { App } from './shell/app.tsx';
import { styleNonce } from './parts/app/nonce.ts';

const place = document.querySelector('#panel');
if (!place) throw new Error('The page has no place for the panel.');
// The library that keeps the page behind a dialog from scrolling reads its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
// An outage is said in the bar; the session is tried again with the next request.
await Promise.all([restore().catch(() => undefined), loadMessages('shell', 'parts', 'pages')]);
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
