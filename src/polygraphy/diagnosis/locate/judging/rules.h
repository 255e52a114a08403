// The constants of judging: what each decides, and what set it. rules_test.cpp fails for each that
// moves by half. "Pairs" are the healthy ones of tests/locate, "faults" the planted ones.
#pragma once

#include <cstddef>
#include <cstdint>

namespace polygraphy::rules {

// ---- Noise, of which there are few evaluations

// Times the largest of three evaluations that an error of the same kind may be. Of errors that are
// equally frequent up to a limit, 3 % exceed it.
inline constexpr double kFew = 2;
// The same for a norm, for one element, beside 1; for n elements a part of n. With it, 0.03 % of
// single numbers exceed three times the noise, else 1 %: a mean of one number was accused.
inline constexpr double kFewOfOne = 2;
// The largest of many errors varies more than their norm. Pairs in coarser formats agree with 1,
// too.
inline constexpr double kLargest = 2;
// Units of float32 that a correct engine may be off by whatever the noise, beside those of sums;
// and parts of a unit of other formats, so that one rounding is within the usual threshold of 3.
inline constexpr double kFloorOfFloat32 = 8, kFloor = 0.35;
// Of sums in blocks of 16 the error grows with the square root of the number of blocks.
inline constexpr double kBlocks = 4;
// Times the error of sums: Winograd's algorithm for tiles of 4 x 4 results (algorithm_error()).
inline constexpr double kWinograd = 4;

// ---- Range of the format

// The part of the format's largest number from which on one stands for a number beyond. Pairs on
// processors with float16: of -1e9 in a mask, OpenVINO makes -65504; a sum with it is a step off.
inline constexpr double kSaturated = 0.999;

// ---- Elements

// An error by elements is the one that 1 % of them, and two of them, reach: single elements lie at
// steps of functions.
inline constexpr int64_t kOneIn = 100, kFewestElements = 2;
// Times the floor of norms that each element may be off by. A guess: no experiment set it.
inline constexpr double kFloorOfElements = 8;

// ---- Groups of small numbers in outputs: an index of an axis, such as the scores of a detector

inline constexpr double kWrong = 0.1;          // most numbers are off by this part: class scores,
inline constexpr size_t kFewestInGroup = 8;    // of this number at least,
inline constexpr double kRoundings = 8;        // beside noise and roundings,
inline constexpr double kGroupThresholds = 3;  // in thresholds: tails of functions are not

// ---- Nodes

// Times the noise: inputs up to it are right, so an error behind them is the node's own.
inline constexpr double kOrdinary = 1;
// The same of errors by elements, which vary more than norms: behind masks of -1e4, victims have
// inputs of 10.5 to 28.
inline constexpr double kFarOff = 10;
// Times the largest error of its inputs that an amplifier is off by; others are victims. A guess:
// neither is guilty.
inline constexpr double kAmplifies = 10;

// ---- Masks of attention

// At most this, or a tensor has none: masks of -100 do not hide errors (Swin).
inline constexpr double kMask = -1000;
// Two masks, as for causes and for padding, may add up: masked numbers are within this factor.
inline constexpr double kAlike = 4;
// The others are at most this part of the least: between scores up to 100 and BERT's mask of -1e4.
inline constexpr double kGap = 1.0 / 64;

// ---- Levels of quantised numbers

// Engines divide by the scale, or multiply by its inverse in float32: 16 units of the quotient, of
// at least as many levels as 8 bits have.
inline constexpr double kLevels = 256, kUnitOfQuotient = 0x1p-20;

// The part of whole numbers that may lie so near to a tie, where no rule knows their node. Faults,
// and pairs in coarser formats, have the same answers with 0.
inline constexpr double kTies = 0.01;

// ---- Outputs

// In a format that is too coarse, relative errors up to this agree.
inline constexpr double kSmall = 0.1;
// Times the threshold and the error of the function that makes an output, such as the 2e-9 that
// Sigmoid of -20 is in one engine and 0 in the other: both may be off.
inline constexpr double kBothOff = 2;
// Evaluations, with as much noise as passes, of an output behind steps that fails: three missed the
// one tie of Floor(x / s) * s that a correct engine decides otherwise, which was 1,400 times the
// noise.
inline constexpr int64_t kRunsAmongTies = 12;
// Times that noise: twelve evaluations find nearly all of it.
inline constexpr double kTied = 2;

// ---- Further runs of the model

// The part of a format's digits that the outputs of a model and of the model with all tensors
// marked share at least, if sessions of one engine agree: fused nodes cost a BERT 6 of 24 digits.
inline constexpr double kSameDigits = 0.5;
// Of the same input, after the first: they show an engine with two results at random in 7 of 8
// searches.
inline constexpr int64_t kRepetitions = 3;
// Times the error that wrong results of the guilty nodes alone make: larger ones they do not
// explain. Those of a node behind a fault make none, because its inputs were wrong.
inline constexpr double kAbout = 3;

}  // namespace polygraphy::rules
