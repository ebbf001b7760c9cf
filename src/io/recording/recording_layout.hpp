// Names of the datasets of a recording, shared by its writer and its reader.
#pragma once

namespace stickslip::layout {

inline constexpr const char* kScene = "/scene";
inline constexpr const char* kPositionNames = "/names/positions";
inline constexpr const char* kVelocityNames = "/names/velocities";
inline constexpr const char* kContactNames = "/names/contacts";
inline constexpr const char* kTime = "/time";
inline constexpr const char* kStep = "/step";
inline constexpr const char* kPositions = "/q";
inline constexpr const char* kVelocities = "/u";
inline constexpr const char* kContactCount = "/contacts/count";
inline constexpr const char* kContactId = "/contacts/id";
inline constexpr const char* kContactGap = "/contacts/gap";
inline constexpr const char* kContactImpulse = "/contacts/impulse";
inline constexpr const char* kContactMoment = "/contacts/moment";  // where contacts have moments
inline constexpr const char* kContactPoint = "/contacts/point";    // of bodies
inline constexpr const char* kContactNormal = "/contacts/normal";  // likewise
inline constexpr const char* kJointImpulse = "/joints/impulse";
inline constexpr const char* kStages = "/stages";
inline constexpr const char* kStageNames = "/stages/names";
inline constexpr const char* kStageCount = "/stages/count";
inline constexpr const char* kStage = "/stages/stage";
inline constexpr const char* kStageSolved = "/stages/solved";
inline constexpr const char* kStageTried = "/stages/tried";
inline constexpr const char* kStageIterations = "/stages/iterations";
inline constexpr const char* kCertificate = "/certificate/";  // and a FrameRows::kCertificate

}  // namespace stickslip::layout
