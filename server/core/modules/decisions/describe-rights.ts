import type { Manifest } from '../../manifest.ts'

/** The rights of a module that people should know before they install it. */
export const describeRights = ({ name, guards, grants }: Manifest): string[] => [
  ...guards.length > 0 ? [`${name} can refuse: ${guards.join(', ')}.`] : [],
  ...grants.length > 0 ? [`${name} is granted: ${grants.join(', ')}.`] : []
]
