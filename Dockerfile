# Lacewing with SQLite in a volume, or on the PostgreSQL that LACEWING_DATABASE_URL names. See docs/operating.md.
FROM node:24-slim

WORKDIR /opt/lacewing
COPY package.json package-lock.json ./
# The image has Node 24 already; the optional packages would only bring it a second time.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund && npm cache clean --force
# The commands of docs/operating.md find Node where npm puts it elsewhere.
RUN mkdir -p node_modules/.bin && ln -s "$(command -v node)" node_modules/.bin/node
COPY bin ./bin
COPY src ./src
COPY web ./web
# Builds the pages and the bundle of the server now, because the server may not write here.
RUN node --disable-warning=ExperimentalWarning src/pages/build-pages.ts && node src/lacewing.mjs --version

# An empty volume takes over the owner of the folder that it is mounted on.
RUN mkdir /data && chown node:node /data && chmod 700 /data
VOLUME /data
ENV LACEWING_HOST=0.0.0.0 LACEWING_PORT=8080 LACEWING_DATA=/data
ENV MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=8388608
USER node
EXPOSE 8080

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.LACEWING_PORT + '/health').then((it) => process.exit(it.ok ? 0 : 1), () => process.exit(1))"]

# Not through npm, so that SIGTERM reaches the server itself.
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", "--no-parallel-scavenge", "--heap-growing-percent=30", "src/main.mjs"]
