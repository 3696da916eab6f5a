/** The topics of one installation. Only ids are in them: no name that people chose, and no place. */

/** Parts that topics are made of. */
export interface TopicRoot {
  /** `mqtt.topic_prefix` */
  readonly prefix: string;
  /** `mqtt.discovery_prefix` */
  readonly discovery: string;
  /** The id of the installation. */
  readonly installation: string;
}

/** Topics of one camera. */
export interface CameraTopics {
  /** Retained: the device with its entities. */
  readonly config: string;
  /** Retained: the states of all entities as one JSON text. */
  readonly state: string;
  /** Retained: the last picture. */
  readonly picture: string;
  /** Never retained. */
  readonly event: string;
  /** Orders come here; retained ones do not count. */
  readonly command: string;
  /** The id of the device, and the beginning of the ids of its entities. */
  readonly device: string;
}

/** @param camera null for the first camera, whose id is in no topic: it may get another name */
export function cameraTopics({ prefix, discovery, installation }: TopicRoot, camera: string | null): CameraTopics {
  const base = camera === null ? `${prefix}/${installation}` : `${prefix}/${installation}/${camera}`;
  const device = camera === null ? `dashdock_${installation}` : `dashdock_${installation}_${camera}`;
  return {
    config: `${discovery}/device/${device}/config`,
    state: `${base}/state`,
    picture: `${base}/picture`,
    event: `${base}/event`,
    command: `${base}/command`,
    device,
  };
}

/** Retained: `online` while the service is connected, `offline` as its last will. */
export function serviceTopic({ prefix, installation }: TopicRoot): string {
  return `${prefix}/${installation}/service`;
}

/** Home Assistant says `online` here when it has started. */
export function birthTopic({ discovery }: TopicRoot): string {
  return `${discovery}/status`;
}

/** Topics of which a retained message would stay when the device is removed. */
export function retainedTopics({ config, state, picture }: CameraTopics): readonly string[] {
  return [config, state, picture];
}
