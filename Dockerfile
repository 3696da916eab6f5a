# syntax=docker/dockerfile:1

# One executable with everything in it. Built on the machine's own platform, for the platform of the image.
FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS build
RUN npm install --global --no-fund --no-audit bun@1.4.5
WORKDIR /src
COPY package.json bun.lock bunfig.toml ./
# With the development packages: the scripts of the pages are bundled while the program is compiled.
RUN bun install --frozen-lockfile
COPY tsconfig.json ./
COPY assets assets
COPY islands islands
COPY server server
# The small processors of many NAS devices have no AVX2, which the usual build for amd64 asks for.
ARG TARGETARCH
RUN case "$TARGETARCH" in \
      amd64) BUILD_TARGET=bun-linux-x64-baseline ;; \
      arm64) BUILD_TARGET=bun-linux-arm64 ;; \
      *) echo "No build for $TARGETARCH" >&2; exit 1 ;; \
    esac \
    && export BUILD_TARGET \
    && bun run build

FROM debian:bookworm-slim
COPY --from=build /src/dist/dashdock /usr/local/bin/dashdock
# The user and group it runs as when PUID and PGID say nothing: never root.
ENV SERVICE_CONFIG_DIR=/config \
    SERVICE_DESTINATION=/recordings \
    SERVICE_IMAGE_UID=1000 \
    SERVICE_IMAGE_GID=1000
RUN mkdir /config /recordings && chown 1000:1000 /config /recordings
# Settings, password, statistics and logs; without a volume here they go with the container.
VOLUME ["/config", "/recordings"]
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 CMD ["dashdock", "healthcheck"]
# Started as root it gives that up for PUID and PGID, or for 1000 without them; started as another user (--user) it
# stays that user.
ENTRYPOINT ["dashdock"]
CMD ["serve"]
