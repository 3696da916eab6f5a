import { startLinks } from "./browser/start_links.ts";

startLinks(document);
