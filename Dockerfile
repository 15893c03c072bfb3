FROM node:26-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
# The optional packages are a Node and a PostgreSQL: the image has the one and is given the other by DATABASE_URL.
RUN npm ci --omit=dev --omit=optional --ignore-scripts
COPY . .
RUN mkdir -p /data node_modules/.cache && chown node /data node_modules/.cache
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 BILLOW_DATA_DIR=/data
EXPOSE 4000
HEALTHCHECK --interval=10s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "--max-old-space-size=128", "bin/billow.mjs"]
CMD ["start"]
