// Journal: not shown yet.
import { html } from './vendor/htm-preact.js';
import { Note } from './parts.js';

export const Journal = () => html`<${Note}>This game's inspector does not show this yet.<//>`;
