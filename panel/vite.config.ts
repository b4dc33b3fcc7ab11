import { readdirSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { checkSizes } from './build/check-sizes.ts';
import { compress } from './build/compress.ts';
import { directIcons } from './build/direct-icons.ts';

/** What every page needs comes in one file: together it compresses better, and is asked for once. */
const inShell =
  /\/panel\/src\/(?:(?:api|parts\/app|shell)\/(?!command-palette|shortcut-sheet|toasts)|messages\/(?:use-messages|counting))|\/node_modules\/(?:react|react-dom|scheduler|@tanstack|@floating-ui|use-sync-external-store|clsx)\/|@mantine\/hooks\/|@mantine\/core\/esm\/(?:core|utils|components\/(?:Menu|Popover|Tooltip|Button|ActionIcon|Text|Title|Group|Stack|Paper|Skeleton|Portal|Transition|Overlay|Loader|Kbd|Anchor|Alert|CloseButton|UnstyledButton|FocusTrap|Floating))\//;

const languages = readdirSync(`${import.meta.dirname}/src/messages`).filter((name) => !name.includes('.'));

/** What the first page says, in one file a language. */
const saidFirst = (language: string): { name: string; test: RegExp } => ({
  name: `first-messages-${language}`,
  test: new RegExp(`/messages/${language}/(?:shell|parts|pages|overview|mail-filters|sandbox-send)\\.ts`),
});

const service = process.env['CHASQUI_BASE_URL'] ?? 'http://localhost:8080';
const proxied = Object.fromEntries(
  ['/v1', '/readyz', '/docs', '/openapi.json'].map((path) => [path, service]),
);

// oxlint-disable-next-line import/no-default-export -- Vite asks for it.
export default defineConfig({
  root: import.meta.dirname,
  base: '/panel/',
  plugins: [directIcons(), react(), checkSizes({ first_kb: 200, page_kb: 120, editor_kb: 220 }), compress()],
  // The rooms of the service have types of ours, the brand its tokens.
  server: { port: 5173, proxy: proxied, fs: { allow: ['..'] } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The panel's own limits are those of checkSizes, in gzip.
    chunkSizeWarningLimit: 2_000,
    reportCompressedSize: false,
    rolldownOptions: {
      // Its advice on slow plugins looks like a failed install after `npm ci`.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: { groups: [{ name: 'shell', test: inShell }, ...languages.map(saidFirst)] },
      },
      input: { panel: `${import.meta.dirname}/index.html`, preview: `${import.meta.dirname}/preview.html` },
    },
  },
});
