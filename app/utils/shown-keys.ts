const SIGNS: Record<string, string> = { Control: 'Ctrl', ArrowUp: '↑', ArrowDown: '↓' }

/** `Alt+ArrowUp`, as in `aria-keyshortcuts`, as people read it: `Alt ↑`. */
export const shownKeys = (keys: string): string => keys.split('+').map(key => SIGNS[key] ?? key).join(' ')
