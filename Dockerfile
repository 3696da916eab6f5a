# syntax=docker/dockerfile:1

# What the program needs of the C library, for the platform of the image. Only files are taken from here; nothing is run.
FROM debian:bookworm-slim AS libraries

# One executable with everything in it. Built on the machine's own platform, for the platform of the image.
FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS build
RUN npm install --global --no-fund --no-audit bun@1.4.5
WORKDIR /src
COPY package.json bun.lock bunfig.toml ./
# With the development packages: the scripts of the pages are bundled while the program is compiled.
RUN bun install --frozen-lockfile
COPY tsconfig.json CHANGELOG.md LICENSE ./
COPY assets assets
COPY islands islands
COPY server server
ARG TARGETARCH
RUN --mount=type=bind,from=libraries,target=/libraries \
    bun run image-root /image --architecture "$TARGETARCH" --libraries /libraries

# The program, five libraries and their loader, two users and two folders: no shell, no package manager, nothing to update beside it.
FROM scratch
COPY --from=build /image/ /
# A release adds version, revision and addresses.
LABEL org.opencontainers.image.title="Dashdock" \
      org.opencontainers.image.description="Brings a dashcam's recordings home over Wi-Fi and shows what it did" \
      org.opencontainers.image.licenses="MIT"
# The image's ids are for a start as root without PUID and PGID: it does not stay root then either.
ENV PATH=/usr/local/bin \
    SERVICE_CONFIG_DIR=/config \
    SERVICE_DESTINATION=/recordings \
    SERVICE_IMAGE_UID=1000 \
    SERVICE_IMAGE_GID=1000
# Settings, password, statistics and logs; without a volume here they go with the container.
VOLUME ["/config", "/recordings"]
EXPOSE 8080
# Never root, unless it is started with --user 0: then it gives that up for PUID and PGID.
USER 1000:1000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 CMD ["/usr/local/bin/dashdock", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/dashdock"]
CMD ["serve"]
