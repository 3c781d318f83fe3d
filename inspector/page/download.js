// Download: gives the reader a file.
export function save(name, type, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const inQuotes = (value) => `"${String(value ?? '').replaceAll('"', '""')}"`;

// Rows of values as CSV, the first of which are the names.
export const csv = (rows) => rows.map((row) => row.map(inQuotes).join(',')).join('\n') + '\n';
