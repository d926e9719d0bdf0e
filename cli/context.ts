import { readConfig, type Config } from '../server/core/config.ts'

/** What `bin/svc` and the environment say. Throws ConfigError. */
export const configuration = (): Config => readConfig(process.env, process.cwd())

/** Handed to each command by `main.ts`. */
export interface CommandData { asJson: boolean }
