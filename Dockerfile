# syntax=docker/dockerfile:1

FROM node:24-slim AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
# No scripts: `prepare` would build before the sources are there, and the image brings its own Node.
RUN npm ci --ignore-scripts
COPY .swcrc nest-cli.json tsconfig*.json ./
COPY src src
RUN npm run build

FROM node:24-slim AS dependencies
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
# Nothing here is compiled or debugged: the compiler (an optional peer that npm brings along), the declarations and
# the source maps are half of the size.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force \
  && rm -rf node_modules/typescript node_modules/@types \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
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
CMD ["node", "--max-semi-space-size=32", "dist/main.js"]
