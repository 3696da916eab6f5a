import { field, section } from "../field.ts";
import { nullableText, secretText, text } from "../field_kinds.ts";
import { authorityPathProblem, brokerProblem, topicPrefixProblem } from "../mqtt_address.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: leaving them out is the point
const PASSWORD = /^[^\u0000-\u001f\u007f]{0,1024}$/;

export const MQTT = section("immediate", "Home Assistant", {
  url: field(nullableText(brokerProblem, "broker"), null, {
    label: "Broker",
    help: "Your MQTT broker, such as mqtt://host:1883, or mqtts://host:8883 for an encrypted connection. Empty: switched off, and the device is removed from Home Assistant.",
    empty: "switched off",
    own: true,
  }),
  username: field(text(), "", {
    label: "User",
    help: "A user of its own for Dashdock is best.",
    own: true,
  }),
  password: field(secretText(PASSWORD, "at most 1024 characters, without control characters"), null, {
    label: "Password of that user",
    help: "Without encryption, others on the network can read it.",
    secret: { remedy: null },
    own: true,
  }),
  topic_prefix: field(text(topicPrefixProblem), "dashdock", {
    label: "Topics begin with",
    help: "Everything but the device itself is published below this topic.",
    rare: true,
  }),
  discovery_prefix: field(text(topicPrefixProblem), "homeassistant", {
    label: "Discovery prefix",
    help: "The one that is set in Home Assistant. Most people never change it.",
    rare: true,
  }),
  ca_file: field(nullableText(authorityPathProblem, "path"), null, {
    label: "Your own certificate authority (CA)",
    help: "Path of a PEM file, for a broker whose certificate no public authority has signed.",
    empty: "the public authorities",
    rare: true,
  }),
});
