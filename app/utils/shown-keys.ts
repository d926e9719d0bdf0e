const SIGNS: Record<string, string> = { Control: 'Ctrl', ArrowUp: '↑', ArrowDown: '↓' }

/** Converts a shortcut from the form of `aria-keyshortcuts`, `Alt+ArrowUp`, to the one that people read, `Alt ↑`. */
export const shownKeys = (keys: string): string => keys.split('+').map(key => SIGNS[key] ?? key).join(' ')
