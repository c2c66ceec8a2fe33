# The service in a container: docs/operating-install.md, "In a container", explains how to run it.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm run build

FROM debian:bookworm-slim
# initdb looks up its account, so a bare user ID that is not in /etc/passwd is not enough
RUN useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin forecasting \
    && install -d -o forecasting -g forecasting -m 700 /data
WORKDIR /app
COPY --from=build /app .
# the Node.js of package-lock.json, on which the tests run
ENV PATH=/app/node_modules/node/bin:$PATH HOST=0.0.0.0 PORT=3000 DATA_DIR=/data DEMO=off
USER forecasting
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=5m \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/src/main.js"]
