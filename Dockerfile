# Sources and dependencies stay in the image, so that an instance can rebuild its own screens for a community module.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
COPY packages/evidence-page/package.json packages/evidence-page/
COPY packages/kit/package.json packages/kit/
COPY packages/postgres-sockets/package.json packages/postgres-sockets/
COPY packages/sheet/package.json packages/sheet/
RUN npm ci --loglevel=error
COPY . .
RUN sh bin/setup --build && ./bin/svc --version

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 SVC_ROOT=/app SVC_STORAGE=/storage
WORKDIR /app
RUN install -d -o node -g node /storage
COPY --from=build --chown=node:node /app /app
# With SVC_STORAGE=s3://… everything except documents is still in ./storage, so that is on the volume too.
RUN rm -rf storage && ln -s /storage storage
USER node
VOLUME /storage
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without a supervisor, because the container runtime restarts the server.
CMD ["node", ".output/server/index.mjs"]
