import { startGallery } from "./gallery.ts";

const PORT = 3007;

// `npm run components`: a page for the eyes of a developer, after a change of the styles.
const { url } = await startGallery(PORT);
console.log(`Each component of the dashboard: ${url}`);
