# The first stage has npm. The image has Node, the packages of production and Billow's files.
FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
# The optional packages are a Node and a PostgreSQL: the image has the one and is given the other by DATABASE_URL.
RUN npm ci --omit=dev --omit=optional --ignore-scripts
COPY . .
# Tests, source maps and types of packages stay behind.
RUN mkdir /image && cp -r LICENSE NOTICE package.json bin client clients docs migrations node_modules src /image/ \
  && find /image/src /image/client -name '*.test.ts' -delete \
  && find /image/node_modules -type f '(' -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' ')' -delete

FROM node:26-bookworm-slim
# The image needs no npm, and a program that is not there needs no update.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /opt/yarn-* /usr/local/bin/yarn /usr/local/bin/yarnpkg \
  && mkdir /data && chown node:node /data
COPY --from=build /image /app
WORKDIR /app
# The number of the user `node`: Kubernetes compares numbers with 0 (`runAsNonRoot`).
USER 1000:1000
# Billow writes below /data alone. The root of the file system may be read-only.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 BILLOW_DATA_DIR=/data
EXPOSE 4000
HEALTHCHECK --interval=10s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "--max-old-space-size=128", "bin/billow.mjs"]
CMD ["start"]
