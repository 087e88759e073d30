import { fileURLToPath } from 'node:url';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

function at(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** `scripts/build.js` says where to. Addresses are relative: a proxy may add a path in front. */
export default defineConfig({
  root: at('.'),
  base: './',
  plugins: [react()],
  resolve: {
    dedupe: ['react', 'react-dom', 'graphql'],
    conditions: ['@palabre/source', 'browser', 'module', 'import'],
  },
  worker: { format: 'es' },
  build: {
    outDir: at('../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // A module of type JSON or an image as data: would be another thing for the policy to allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 6000,
    rolldownOptions: { input: { index: at('index.html'), explorer: at('explorer.html') } },
  },
});
