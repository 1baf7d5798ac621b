# Lacewing with SQLite in a volume, or on the PostgreSQL that LACEWING_DATABASE_URL names. See docs/operating.md.
FROM node:24-slim AS release

WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts ./scripts
RUN npm ci --omit=dev --no-audit --no-fund
COPY bin ./bin
COPY src ./src
COPY shared ./shared
COPY client ./client
COPY cli ./cli
COPY web ./web
COPY docs ./docs
COPY README.md CHANGELOG.md LICENSE ./
# The same archive that runs without Docker.
RUN npm run release && mkdir lacewing && tar -xzf release/lacewing-*.tar.gz -C lacewing --strip-components=1

FROM node:24-slim

WORKDIR /opt/lacewing
COPY --from=release /build/lacewing ./

# An empty volume takes over the owner of the folder that it is mounted on.
RUN mkdir /data && chown node:node /data && chmod 700 /data
VOLUME /data
ENV LACEWING_HOST=0.0.0.0 LACEWING_PORT=8080 LACEWING_DATA=/data
USER node
EXPOSE 8080

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.LACEWING_PORT + '/health').then((it) => process.exit(it.ok ? 0 : 1), () => process.exit(1))"]

# Not through npm, so that SIGTERM reaches the server itself.
CMD ["bin/lacewing", "start"]
