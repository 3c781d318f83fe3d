// Theme: dark or light, as the system has it until the reader turns it.
import { makeStore } from './store.js';

const system = matchMedia('(prefers-color-scheme: dark)');
const kept = () => localStorage.getItem('kin-theme');

export const theme = makeStore(kept() || (system.matches ? 'dark' : 'light'));

function show() {
  document.documentElement.dataset.theme = theme.get();
}

export function turnTheme() {
  theme.set(theme.get() === 'dark' ? 'light' : 'dark');
  localStorage.setItem('kin-theme', theme.get());
  show();
}

system.addEventListener('change', () => {
  if (kept()) return;
  theme.set(system.matches ? 'dark' : 'light');
  show();
});
show();
