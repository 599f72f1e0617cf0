import { type Message, say } from '../words/message.ts';
import type { WireReason } from './outcome.ts';
import type { Dropped, RetryCause } from './rc/events.ts';
import type { Status } from './rc/work.ts';

/** What codecs and transports say in their own short words, as sentences for people. */
export const wireReason = (reason: WireReason): Message => say(`wire.reason.${reason}`);
export const wireStatus = (status: Status): Message => say(`wire.status.${status}`);
export const wireRetry = (cause: RetryCause): Message => say(`wire.retry.${cause}`);
export const wireDropped = (why: Dropped): Message => say(`wire.dropped.${why}`);
