/** For the help text: braces in a translation would be read as a name. */
export const PLACEHOLDERS = {
  to: '{to}', digits: '{digits}', text: '{text}', id: '{id}', key: '{key}', report: '{report}'
}
