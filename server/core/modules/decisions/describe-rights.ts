import type { Manifest } from '../../manifest.ts'

/** What people should know about a module's reach before they install it. */
export const describeRights = ({ name, guards, grants }: Manifest): string[] => [
  ...guards.length > 0 ? [`${name} can refuse: ${guards.join(', ')}.`] : [],
  ...grants.length > 0 ? [`${name} is granted: ${grants.join(', ')}.`] : []
]
