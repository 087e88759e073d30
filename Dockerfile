# syntax=docker/dockerfile:1

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS node

FROM node AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
COPY clients clients
COPY packages packages
COPY web/package.json web/
# No scripts: `prepare` would build before the sources are there, and the image brings its own Node.
RUN npm ci --ignore-scripts
COPY .swcrc nest-cli.json tsconfig*.json ./
COPY scripts scripts
COPY src src
COPY web web
RUN npm run build

FROM node AS dependencies
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
COPY clients clients
COPY packages packages
COPY web/package.json web/
# Types, source maps, tests and files for browsers are removed: nothing is compiled or debugged here. The library
# that reads images has 20 MB for one kind of processor, OpenTelemetry 3 MB without what only `require` would load.
# `du -sm node_modules` gives 240 MB after these commands. No script of a package is run.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force \
  && rm -rf node_modules/@types node_modules/typescript node_modules/typeorm/browser node_modules/@mixmark-io/domino/test \
  && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete \
  && find node_modules/@opentelemetry -path '*/api/*' -prune -o -type f -name '*.cjs' -exec rm {} + \
  && rm -rf node_modules/pdfmake/build node_modules/docx/dist/*.iife.js node_modules/docx/dist/*.umd.cjs \
  && find node_modules/@expo-google-fonts \( -name '*_Italic' -o -name '*.png' \) -exec rm -rf {} +

FROM node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
# With limits of its own glibc gives back what it has freed; else it raises them, and keeps 100 MB of what compiling the
# embedded database took.
ENV MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/clients clients
COPY --from=build /app/packages packages
COPY LICENSE package.json ./
COPY migrations migrations
COPY skills skills
USER node
VOLUME /data
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`, { signal: AbortSignal.timeout(2500) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1, so that it gets the signals: npm would keep them. The flag is that of npm's `start`.
CMD ["node", "--max-semi-space-size=32", "dist/app/main.js"]
