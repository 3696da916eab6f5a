#!/usr/bin/env bun
import { run } from "./commands/cli.ts";

process.exit(await run(process.argv.slice(2)));
